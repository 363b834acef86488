use super::*;

fn column(value: u64, upper: u64) -> Column {
    Column { title: format!("{value}"), value, upper }
}

fn bars(columns: Vec<Column>) -> Vec<Bar> {
    Bars::new(Frame::default(), ("good", "bad"), columns).bars
}

#[test]
fn bars_stay_within_the_chart_and_do_not_overlap() {
    for count in [1, 2, 13, 14, 90] {
        let bars = bars((0..count).map(|at| column(1 + at * 999, at)).collect());
        assert_eq!(u64::try_from(bars.len()), Ok(count));
        for bar in &bars {
            let ((lower_y, lower), (upper_y, upper)) = (bar.lower, bar.upper);
            assert!(bar.x + bar.width <= WIDTH && upper_y >= TOP, "{bar:?}");
            assert_eq!((lower_y + lower, upper_y + upper), (BOTTOM, lower_y), "{bar:?}");
        }
        assert!(bars.windows(2).all(|pair| pair[0].x + pair[0].width < pair[1].x));
    }
}

#[test]
fn a_single_error_is_visible_and_a_day_without_requests_has_no_bar() {
    let shown = bars(vec![column(0, 0), column(1_000, 1), column(1, 1)]);
    let [large, small] = &shown[..] else { panic!("two bars") };
    assert_eq!((large.upper.1, large.lower.1), (MIN_BAR, BOTTOM - TOP - MIN_BAR));
    assert_eq!((small.upper.1, small.lower.1), (MIN_BAR, 0));
}

#[test]
fn a_day_without_requests_interrupts_the_line() {
    let p95 = vec![Some(10), Some(10), None, Some(0)];
    let lines = Lines::new(Frame::default(), &[("p95", p95), ("median", vec![Some(5), Some(10), None, Some(0)])]);
    let [p95, median] = &lines.lines[..] else { panic!("two lines") };
    assert_eq!((median.line.as_str(), median.is_dashed), ("M450 750L1350 200M3150 1300", false));
    assert_eq!((p95.dots.as_str(), p95.is_dashed), ("M450 200h0M1350 200h0M3150 1300h0", true));
}

#[test]
fn huge_values_stay_within_the_chart() {
    assert_eq!(scaled(0, 0), 0);
    assert!(scaled(u64::MAX, u64::MAX) <= BOTTOM - TOP);
    assert_eq!(scaled(7, 7), BOTTOM - TOP);
}

#[test]
fn a_chart_has_a_name_a_description_and_no_empty_part() {
    let key = &[("good", "without error")];
    let frame = Frame { id: "requests".to_owned(), title: "A & B".to_owned(), key, ..Frame::default() };
    let frame = Frame { description: "Most in a day: 1.".to_owned(), ..frame }.over(&["1 Dec"]);
    let html = Bars::new(frame, ("good", "bad"), vec![column(1, 0)]).render().unwrap();
    assert!(html.contains(r#"role="img" aria-labelledby="requests-title requests-text""#), "{html}");
    assert!(html.contains(r#"<title id="requests-title">A &#38; B</title>"#), "{html}");
    assert!(html.contains("Most in a day: 1.") && html.contains("chart-good") && !html.contains("chart-bad"), "{html}");
    assert_eq!(html.matches("1 Dec").count(), 1, "{html}");
}

#[test]
fn labels_of_days_have_room() {
    for (count, labels) in [(0, 0), (1, 1), (7, 7), (8, 4), (14, 7), (30, 6), (90, 7)] {
        let frame = Frame::default().over(&vec!["22 Nov"; count]);
        assert_eq!(frame.labels.len(), labels, "{count} days");
        let middles: Vec<u64> = frame.labels.iter().map(|(middle, _)| *middle).collect();
        assert!(middles.iter().all(|middle| (HALF_LABEL..=WIDTH - HALF_LABEL).contains(middle)), "{middles:?}");
        assert!(middles.windows(2).all(|pair| pair[1] - pair[0] >= 2 * HALF_LABEL), "{middles:?}");
    }
}
