//! The API's texts, and a person's words for them.

/// Requirements of fields: the names of the fields, `""` for all; the API's text; the sentence. The first that fits
/// counts. Slots: a part of the text by its number, `{amount}` for the first two parts, `{label}` for the field.
pub(super) const REQUIREMENTS: &[(&str, &str, &str)] = &[
    ("budget_amount", "must be at least {} {} a day on {}", "{3} needs at least {amount} a day."),
    ("budget_amount", "must be at least {} {} a month on {}: {}", "{3} needs at least {amount} a month."),
    ("budget_amount", "must be at least {} {} a month on {}", "{3} needs at least {amount} a month."),
    ("budget_amount", "must be at least {} {} in all on {}", "{3} needs at least {amount} in all."),
    ("budget_amount", "must be at most {} {} a day on {}", "{3} takes at most {amount} a day."),
    ("budget_amount", "must be at most {} {} in all on {}", "{3} takes at most {amount} in all."),
    ("budget_amount", "must have at most {} decimals in {} on {}", "{3} takes at most {1} decimals in {2}."),
    ("", "must be greater than 0", "Write an amount above 0."),
    ("", "must be 0 or more", "Write 0 or more."),
    ("", "has more decimals than {} has (0)", "Amounts in {1} have no decimals."),
    ("", "has more decimals than {} has ({})", "Amounts in {1} have {2} decimals at most."),
    ("", "is finer than a millionth", "Write at most six decimals."),
    ("", "is too large: the maximum is {}", "This amount is too large. The largest is {1}."),
    ("", "has more than 28 digits", "This amount has too many digits."),
    ("start_at end_at", "must be RFC 3339 with an offset {}", "Choose a date."),
    ("start_at end_at", "is not a day of the calendar", "Choose a day that there is."),
    ("since apply_at", "must be a {} with an offset, {}", "Choose a date and a time."),
    ("end_at", "must be after start_at", "Choose an end after the start."),
    ("start_at", "must be before end_at", "Choose a start before the end."),
    ("start_at", "must not have passed{}", "Choose a start that has not passed."),
    ("start_at", "must not be before the current day", "Choose a start that has not passed."),
    ("end_at", "must not have passed", "Choose an end that has not passed."),
    ("end_at", "is required with a {} budget on {}", "{2} needs an end for a budget of the whole run."),
    ("apply_at", "must be at least a minute and at most a year ahead", "Choose a time from a minute to a year ahead."),
    (
        "apply_at",
        "must not be sent with a MONTHLY budget{}",
        "A monthly budget changes at once. Leave the time empty, or change the budget then.",
    ),
    ("since", "must not be more than 30 days ago{}", "Choose a time of the last 30 days."),
    ("goal", "is not offered on {}; use {}", "{1} does not have this goal."),
    ("goal", "is not offered on {}", "{1} does not have this goal."),
    ("goal", "must be one of {}", "Choose a goal."),
    ("goal", "is required{}", "Choose a goal."),
    ("budget_period", "is not offered on {} with this goal{}", "{1} does not have this budget period with this goal."),
    ("budget_period", "is not offered on {}; use {}", "{1} does not have this budget period."),
    ("budget_period", "is not offered on {}", "{1} does not have this budget period."),
    ("budget_period", "must be one of {}", "Choose a budget period."),
    ("budget_period", "is required{}", "Choose a budget period."),
    ("connections", "must have at least one that is ticked", "Choose an ad account."),
    ("currency", "must be a three-letter code of ISO 4217, {}", "Write three letters, such as USD."),
    (
        "campaign_defaults",
        "is required on {}: {}",
        "{1} needs a country and a language for new campaigns. Set them on the page Connections.",
    ),
    ("country", "is required on {} with {}", "Write the country in which the ads are shown."),
    ("country language", "is required on {}", "{1} needs a country and a language."),
    (
        "country",
        "must be the two-letter code of a country in which LinkedIn shows ads{}",
        "Write the two letters of a country in which LinkedIn shows ads, such as DE.",
    ),
    ("country", "must be the two-letter code of a country{}", "Write the two letters of a country, such as DE."),
    ("country", "is for special_ad_categories on {}", "Tick a category, or leave the country empty."),
    ("language", "must be one of {}", "LinkedIn has these languages: {1}."),
    ("creates_per_day", "must be a whole number from 0 to {}", "Write a whole number from 0 to {1}."),
    ("scopes", "must have at least one of {}", "Choose what the key may do."),
    ("types", "must have at least one type of event, {}", "Choose an event, or all."),
    ("name", "must not start or end with a space", "Remove the spaces around the name."),
    ("name", "must have at least {} characters on {}", "{2} needs a name of at least {1} characters."),
    ("name", "must be at most {} bytes of UTF-8 on {}; it is {}", "{2} takes a name of at most {1} bytes. It has {3}."),
    ("name", "must not contain emoji on {}: {}", "{1} takes no emoji in a name: {2}."),
    ("", "must be 1 to {} characters and not blank; it has 0", "“{label}” must not be empty."),
    ("", "must be 1 to {} characters and not blank; it has {}", "“{label}” must have 1 to {1} characters. It has {2}."),
    ("", "must not contain control characters or line breaks", "“{label}” must be one line of text."),
    ("", "is required", "“{label}” must not be empty."),
    ("uri url", "must be an absolute URL, such as {}", "Write the whole address, such as {1}."),
    ("uri url", "must not have a fragment; {}", "Remove the # and what follows it."),
    ("uri", "must be in canonical form: {}", "Write it as {1}."),
];

/// Messages of errors that tell a program what to do.
pub(super) const MESSAGES: &[(&str, &str)] = &[
    (
        "It is not known yet whether {} created the campaign \"{}\". The service usually finds out within {}; see GET {}",
        "{1} has not confirmed “{2}” yet. We are checking.",
    ),
    (
        "{} created the campaign \"{}\" as active, and pausing it failed: it may be running. Its id is {}. The service \
         usually pauses it within {}; see GET {}",
        "{1} created “{2}” as active, so it may be running. We are pausing it.",
    ),
    (
        "{} creates of the campaign \"{}\" in this ad account have an unknown outcome. Nothing was sent. {}",
        "Earlier campaigns with the name “{2}” are not confirmed yet, so nothing was sent. Wait, or choose another name.",
    ),
    (
        "{} It is not known whether this was applied: {}. It is safe to repeat {}",
        "{1} It is not known yet whether the change is made. We are checking.",
    ),
    (
        "{} It is not known which of these were applied: {}. It is safe to repeat {}",
        "{1} It is not known yet whether the change is made. We are checking.",
    ),
    (
        "{} It is not known whether the campaign was removed. It is safe to repeat {}",
        "{1} It is not known yet whether the campaign is deleted. We are checking.",
    ),
    (
        "Plan {} allows {} connections, and all are used: remove one with DELETE {}, or change to plan {}.",
        "All {2} connections of plan {1} are used. Remove one below, or upgrade to {4}.",
    ),
    (
        "Plan {} allows {} authorizations in progress. {}",
        "{2} connections are in progress. Finish one, or remove one below.",
    ),
    (
        "The campaign's monthly budget allows no more until {}. Raise budget_amount, {}",
        "The budget of this month is spent. Raise it to go on now. Else the campaign goes on at {1}, unless somebody has \
         paused it since: activate it then.",
    ),
    ("Plan {} does not include targets: {}", "Plan {1} creates in one ad account at a time."),
    (
        "{} The payment provider has stored this failure under the Idempotency-Key; {}",
        "Nothing was charged. Try again.",
    ),
    (
        "You already have the plan {} ({}). Manage the subscription in the portal: POST {}",
        "You already have the plan {1} ({2}). Manage the subscription in the portal.",
    ),
    (
        "You already have a subscription ({}) and would pay for a second one as well. {}",
        "You already have a subscription ({1}) and would pay for a second one as well. Change or cancel it in the portal.",
    ),
    ("There is no such {}. GET {}", "There is no such {1}."),
    (
        "There is no active connection to the ad account {} on {}. Connect one: {}",
        "The ad account {1} has no working connection. Look at it under Connections.",
    ),
    (
        "The connection {} to the ad account {} on {} is {}. {}",
        "The ad account {2} has no working connection. Look at it under Connections.",
    ),
    (
        "{} no longer accepts this authorization; authorize the account again: {}",
        "{1} no longer accepts this authorization. Connect the ad account again under Connections.",
    ),
    (
        "The ad account {} is no longer connected. Connect it again: {}",
        "The ad account {1} is no longer connected. Connect it again under Connections.",
    ),
    (
        "The ad account {} has the currency {} now; check its connection: {}",
        "The ad account {1} has the currency {2} now. Check it under Connections.",
    ),
    (
        "Another request with this Idempotency-Key, or for a campaign of this name, is in progress. {}",
        "An earlier send of this form, or another campaign with this name, is still in progress.",
    ),
    (
        "This Idempotency-Key belongs to a different request. {}",
        "This form was sent before with other values, so nothing more was done.",
    ),
    (
        "{} The outcome of the earlier request is unknown. Send it again with the same Idempotency-Key.",
        "{1} What became of the earlier send is not known. Send the form again as it is: nothing is done twice.",
    ),
];
