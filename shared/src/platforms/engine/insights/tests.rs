use super::*;

fn days(from: &str, to: &str) -> Days {
    Days::new(from.parse().unwrap(), to.parse().unwrap()).unwrap()
}

#[test]
fn a_position_names_a_part_of_the_requested_days() {
    let requested = days("2026-01-01", "2026-01-31");
    let position = Position { part: days("2026-01-08", "2026-01-14"), seen: 0, token: Some("a:b".to_owned()) };
    let text = position.after(12);
    assert_eq!(text, "2026-01-08..2026-01-14:12:a:b");
    assert_eq!(Position::parse(&text, requested), Some(Position { seen: 12, ..position }));
    for text in [
        "",
        "x",
        "2026-01-08..2026-01-14",
        "2026-01-08..2026-01-14:1",
        "2026-01-08..2026-01-14:-1:",
        "2026-01-14..2026-01-08:1:",
        "2025-12-31..2026-01-14:1:",
        "2026-01-08..2026-02-01:1:",
        "2026-01-08T00..2026-01-14:1:",
        "2026-01-08..2026-01-14:1:\n",
    ] {
        assert_eq!(Position::parse(text, requested), None, "{text:?}");
    }
}

#[test]
fn a_part_that_the_platform_cut_is_halved_down_to_one_day() {
    let mut at = Position::start_of(days("2026-01-01", "2026-01-07"));
    let mut counts = Vec::new();
    while let Some(half) = at.halved() {
        counts.push(half.part.count());
        at = half;
    }
    assert_eq!(counts, [3, 1]);
    assert_eq!(Position { seen: 1, ..Position::start_of(days("2026-01-01", "2026-01-07")) }.halved(), None);
}
