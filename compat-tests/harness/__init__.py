"""The black-box harness: it starts a server (the reference or Dohle), drives clients against it and reports what ran."""
