use super::*;
use tokio::time::advance;

/// The account with this number of the customer with this number.
fn account(customer: u128, account: &str) -> CalledAccount {
    CalledAccount { customer: Uuid::from_u128(customer), user: None, account: account.into() }
}

/// The account with this number of a user of the first customer.
fn of_user(user: &str, number: &str) -> CalledAccount {
    CalledAccount { user: Some(user.into()), ..account(1, number) }
}

fn only() -> CalledAccount {
    account(1, "1")
}

fn fail(breaker: &mut Breaker, account: &CalledAccount, permit: Permit) {
    breaker.record_failure(account, permit, Instant::now());
}

fn open_breaker() -> Breaker {
    let mut breaker = Breaker::new(Protected::Account);
    for _ in 0..FAILURE_THRESHOLD {
        assert_eq!(breaker.try_acquire(&only(), Instant::now()), Some(Permit::Normal));
        fail(&mut breaker, &only(), Permit::Normal);
    }
    breaker
}

#[tokio::test(start_paused = true)]
async fn an_open_breaker_rejects_attempts_until_one_may_probe() {
    let mut breaker = open_breaker();
    assert_eq!(breaker.try_acquire(&only(), Instant::now()), None);
    assert_eq!(breaker.open_for(&only(), Instant::now()), Some(MIN_OPEN_TIME));
    advance(MIN_OPEN_TIME).await;
    assert_eq!(breaker.try_acquire(&only(), Instant::now()), Some(Permit::Probe));
    assert_eq!(breaker.try_acquire(&only(), Instant::now()), None, "one probe at a time");
    assert!(breaker.open_for(&only(), Instant::now()).is_some());
    breaker.record_success();
    assert_eq!(breaker.try_acquire(&only(), Instant::now()), Some(Permit::Normal));
    fail(&mut breaker, &only(), Permit::Normal);
    assert_eq!(breaker.open_for(&only(), Instant::now()), None, "a success resets the count");
}

#[tokio::test(start_paused = true)]
async fn failed_probes_double_the_open_time_up_to_its_maximum() {
    let mut breaker = open_breaker();
    let mut open_times = Vec::new();
    for _ in 0..6 {
        let open_time = breaker.open_for(&only(), Instant::now()).unwrap();
        open_times.push(open_time.as_secs());
        advance(open_time).await;
        assert_eq!(breaker.try_acquire(&only(), Instant::now()), Some(Permit::Probe));
        fail(&mut breaker, &only(), Permit::Probe);
    }
    assert_eq!(open_times, [5, 10, 20, 40, 60, 60]);
}

#[tokio::test(start_paused = true)]
async fn failures_far_apart_or_between_answers_do_not_add_up() {
    let mut breaker = Breaker::new(Protected::Account);
    for _ in 0..3 * FAILURE_THRESHOLD {
        fail(&mut breaker, &only(), Permit::Normal);
        advance(FAILURE_WINDOW / 3).await;
    }
    assert_eq!(breaker.try_acquire(&only(), Instant::now()), Some(Permit::Normal));
    for _ in 0..3 {
        for _ in 1..FAILURE_THRESHOLD {
            fail(&mut breaker, &only(), Permit::Normal);
        }
        breaker.record_success();
    }
    assert_eq!(breaker.try_acquire(&only(), Instant::now()), Some(Permit::Normal));
}

#[tokio::test(start_paused = true)]
async fn a_released_or_lost_probe_makes_room_for_the_next() {
    let mut breaker = open_breaker();
    advance(MIN_OPEN_TIME).await;
    assert_eq!(breaker.try_acquire(&only(), Instant::now()), Some(Permit::Probe));
    breaker.release(Permit::Probe);
    assert_eq!(breaker.try_acquire(&only(), Instant::now()), Some(Permit::Probe));
    breaker.release(Permit::Normal);
    fail(&mut breaker, &only(), Permit::Normal);
    assert_eq!(
        breaker.try_acquire(&only(), Instant::now()),
        None,
        "an attempt from before neither closes the breaker nor keeps it open"
    );
    advance(PROBE_TIMEOUT).await;
    assert_eq!(breaker.try_acquire(&only(), Instant::now()), Some(Permit::Probe));
}

#[tokio::test(start_paused = true)]
async fn a_platform_opens_only_for_failures_of_two_owners_and_accounts() {
    let third = account(3, "3");
    for (failing, opens) in [
        (vec![account(1, "1")], false),
        (vec![account(1, "1"), account(1, "2"), account(1, "3")], false),
        (vec![account(1, "1"), account(2, "1"), account(4, "1")], false),
        (vec![account(1, "1"), account(2, "2")], true),
        (vec![of_user("a", "1")], false),
        (vec![of_user("a", "1"), of_user("a", "2"), of_user("a", "4")], false),
        (vec![of_user("a", "1"), account(2, "1")], false),
        (vec![of_user("a", "1"), of_user("b", "2")], true),
        (vec![account(1, "1"), of_user("b", "2")], true),
    ] {
        let mut breaker = Breaker::new(Protected::Platform);
        for _ in 0..10 {
            for account in &failing {
                fail(&mut breaker, account, Permit::Normal);
            }
        }
        assert_eq!(breaker.open_for(&third, Instant::now()).is_some(), opens, "{failing:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn one_failure_of_another_customer_does_not_open_a_platform() {
    let mut breaker = Breaker::new(Protected::Platform);
    for _ in 0..10 {
        fail(&mut breaker, &account(1, "1"), Permit::Normal);
    }
    fail(&mut breaker, &account(2, "2"), Permit::Normal);
    assert_eq!(breaker.try_acquire(&account(2, "2"), Instant::now()), Some(Permit::Normal));
}

fn open_platform() -> Breaker {
    let mut breaker = Breaker::new(Protected::Platform);
    for number in 1..=5 {
        fail(&mut breaker, &account(number, &number.to_string()), Permit::Normal);
    }
    breaker
}

#[tokio::test(start_paused = true)]
async fn a_failed_probe_keeps_the_breaker_open_for_its_own_customer_only() {
    let mut breaker = open_platform();
    let (dead, sibling, other) = (account(1, "1"), account(1, "9"), account(2, "2"));
    advance(MIN_OPEN_TIME).await;
    assert_eq!(breaker.try_acquire(&dead, Instant::now()), Some(Permit::Probe));
    assert_eq!(breaker.try_acquire(&other, Instant::now()), None, "one probe at a time");
    fail(&mut breaker, &dead, Permit::Probe);
    assert_eq!(breaker.try_acquire(&dead, Instant::now()), None);
    assert_eq!(breaker.try_acquire(&sibling, Instant::now()), None);
    assert_eq!(breaker.try_acquire(&other, Instant::now()), Some(Permit::Probe));
    breaker.record_success();
    assert_eq!(breaker.try_acquire(&sibling, Instant::now()), Some(Permit::Normal));
}

#[tokio::test(start_paused = true)]
async fn a_failed_probe_of_a_user_lets_another_user_probe() {
    let mut breaker = Breaker::new(Protected::Platform);
    for number in 1..=5 {
        fail(&mut breaker, &of_user(&number.to_string(), &number.to_string()), Permit::Normal);
    }
    advance(MIN_OPEN_TIME).await;
    assert_eq!(breaker.try_acquire(&of_user("1", "1"), Instant::now()), Some(Permit::Probe));
    fail(&mut breaker, &of_user("1", "1"), Permit::Probe);
    assert_eq!(breaker.try_acquire(&of_user("1", "9"), Instant::now()), None, "another account of the same user");
    assert_eq!(breaker.try_acquire(&of_user("2", "2"), Instant::now()), Some(Permit::Probe));
    breaker.record_success();
    assert_eq!(breaker.try_acquire(&of_user("1", "9"), Instant::now()), Some(Permit::Normal));
}

#[tokio::test(start_paused = true)]
async fn failed_probes_of_two_customers_double_a_platforms_open_time_once() {
    let mut breaker = open_platform();
    let mut open_times = Vec::new();
    for _ in 0..5 {
        let open_time = breaker.open_for(&account(9, "9"), Instant::now()).unwrap();
        open_times.push(open_time.as_secs());
        advance(open_time).await;
        for number in [1, 2] {
            let prober = account(number, &number.to_string());
            assert_eq!(breaker.try_acquire(&prober, Instant::now()), Some(Permit::Probe));
            fail(&mut breaker, &prober, Permit::Probe);
        }
    }
    assert_eq!(open_times, [5, 10, 20, 40, 60]);
}
