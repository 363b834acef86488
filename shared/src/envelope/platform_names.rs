//! The names of platforms in requests of each shape.

use super::Shape;
use super::fields::Fields;
use crate::domain::Platform;

impl Shape {
    /// The name of a platform in this shape.
    pub fn platform_name(self, platform: Platform) -> &'static str {
        match self {
            Shape::Flat => platform.as_str(),
            Shape::Enveloped => platform.as_upper(),
        }
    }

    /// The platform with a name in this shape.
    pub fn parse_platform(self, name: &str) -> Option<Platform> {
        Platform::ALL.into_iter().find(|platform| self.platform_name(*platform) == name)
    }

    /// The requirement for an invalid platform name: the valid names, and the one that was probably meant.
    pub fn platform_requirement(self, given: &str) -> String {
        let meant = Platform::guess(given).map(|meant| format!("; did you mean {}?", self.platform_name(meant)));
        format!("must be one of {}{}", self.platform_names(), meant.unwrap_or_default())
    }

    /// `alpha_ads (Google Ads), …`
    fn platform_names(self) -> String {
        Platform::ALL.map(|known| format!("{} ({})", self.platform_name(known), known.display_name())).join(", ")
    }
}

/// Reads `platform`.
pub(super) fn read_platform(fields: &mut Fields<'_>, shape: Shape) -> Option<Platform> {
    let name = fields.choice("platform", || shape.platform_names())?;
    let platform = shape.parse_platform(&name);
    if platform.is_none() {
        fields.add_error("platform", shape.platform_requirement(&name));
    }
    platform
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_platform_name_lists_the_valid_ones() {
        let flat = Shape::Flat.platform_requirement("google");
        assert!(flat.starts_with("must be one of alpha_ads (Google Ads), beta_ads (Meta), "), "{flat}");
        assert!(flat.ends_with("zeta_ads (Reddit); did you mean alpha_ads?"), "{flat}");
        assert!(Shape::Enveloped.platform_requirement("facebook").ends_with("(Reddit); did you mean BETA?"));
        assert!(Shape::Flat.platform_requirement("snapchat").ends_with("zeta_ads (Reddit)"));
    }

    #[test]
    fn a_name_is_read_in_its_own_shape_only() {
        for platform in Platform::ALL {
            assert_eq!(Shape::Flat.parse_platform(platform.as_str()), Some(platform));
            assert_eq!(Shape::Enveloped.parse_platform(platform.as_upper()), Some(platform));
            assert_eq!(Shape::Flat.parse_platform(platform.as_upper()), None);
        }
    }
}
