//! Nothing: the tests are the one binary beside this file.
