"""What a person reads and presses in the stories of the day."""

NAMES = {
    "too fast": "^Spending too fast",
    "lower": "^Lower",
    "since": "^Since yesterday",
    "save": "^Save",
    "undo": "^Undo",
    "changes of many": r"^The \d+ changes",
    "stop or revert": "^Stop or revert",
    "stop": "^Stop it and pause",
    "revert": "^Revert what it did",
    "revert all": r"^Revert (\d+|the ticked)",
    "months": "^Months$",
    "revert at last": "^Revert (what was ticked|the ticked campaigns|[0-9])",
    "approve": r"^Approve (\d+|what is ticked)",
    "viewer": "^Viewer",
    "invite": "^Create the invitation link",
}
