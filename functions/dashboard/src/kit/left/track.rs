//! The values that a field of a campaign has had, and the changes that have led to them.

use shared::domain::Change;

/// A change of the field that is not taken back.
#[derive(Clone, Debug)]
pub(super) struct Piece<'a, V> {
    /// `None` for one that was made on the platform.
    pub(super) by: Option<&'a Change>,
    /// Its place among the changes of the campaign.
    pub(super) order: usize,
    pub(super) to: V,
}

/// How a field gets a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move<'a> {
    /// `None` for what was set on the platform, or by a step.
    pub(super) by: Option<&'a Change>,
    /// Whether it takes back what was changed since the field had the value.
    pub(super) takes_back: bool,
    /// Its place among the changes of the campaign.
    pub(super) order: usize,
}

/// A value, and what has led to it; `None` if only changes that do not count have.
type Visit<'a, V> = (V, Option<Vec<Piece<'a, V>>>);

/// A field. Where an undo gives it a value again, what had led to that value is what is left, so it takes the change back that
/// it undoes, and the undo of an undo brings it again.
#[derive(Debug)]
pub(super) struct Track<'a, V> {
    visits: Vec<Visit<'a, V>>,
    now: V,
    path: Vec<Piece<'a, V>>,
    has_begun: bool,
}

impl<'a, V: Copy + PartialEq> Track<'a, V> {
    pub(super) fn new(value: V) -> Track<'a, V> {
        Track { visits: vec![(value, None)], now: value, path: Vec::new(), has_begun: false }
    }

    /// Notes a value from before the changes that count.
    pub(super) fn passes(&mut self, value: V) {
        if self.visits.iter().all(|(known, _)| *known != value) {
            self.visits.push((value, None));
        }
        self.now = value;
    }

    /// From now on changes count.
    pub(super) fn begin(&mut self) {
        self.has_begun = true;
        self.visit(Vec::new());
    }

    pub(super) fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// The value that it has.
    pub(super) fn now(&self) -> V {
        self.now
    }

    /// The changes that are left, oldest first.
    pub(super) fn path(&self) -> &[Piece<'a, V>] {
        &self.path
    }

    /// Follows a change to a value. Whether it takes nothing back.
    pub(super) fn step(&mut self, Move { by, takes_back, order }: Move<'a>, to: V) -> bool {
        if to == self.now {
            return false;
        }
        let known = self.visits.iter().find(|(known, _)| takes_back && *known == to).map(|(_, path)| path.clone());
        self.now = to;
        match known {
            Some(Some(path)) => self.path = path,
            // It goes back to before what counts, so it is all that does.
            Some(None) => self.visit(vec![Piece { by, order, to }]),
            None => {
                let mut path = self.path.clone();
                path.push(Piece { by, order, to });
                self.visit(path);
                return true;
            }
        }
        false
    }

    /// Notes what has led to the present value.
    fn visit(&mut self, path: Vec<Piece<'a, V>>) {
        self.visits.retain(|(known, _)| *known != self.now);
        self.visits.push((self.now, Some(path.clone())));
        self.path = path;
    }
}
