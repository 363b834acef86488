//! The rules of the platform, asked of it in its own form at a fixed time.
