"""Differences that are decisions or not built yet, each with its reason. What is not here must not differ."""

# APIs that later issues build: their rows in ApiVersions are not compared. Taken out of here when they are served.
APIS_TO_COME = {17, 29, 30, 31, 36, 38, 39, 40, 41, 48, 49, 50, 51, 52, 53, 54, 56, 58, 59, 62, 63, 64,
                67, 70, 71, 72, 73, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94}
# Also on the controller's listener, where later quorums fetch from it.
CONTROLLER_APIS_TO_COME = APIS_TO_COME | {1}

# (walk, case, reason): the case may differ as a whole; it runs all the same, and must not harm what follows.
CASES = [
    ("AlterConfigs", "a resource twice", "the reference never answers it, over a map with the same key twice; Dohle refuses both"),
    ("Controller-Fetch", "not served by the controller", "the metadata log is fetched by other nodes only, and there are none yet"),
    ("Controller-IncrementalAlterConfigs", "two resources", "the reference answers in the order of a hash table of resources"),
    ("Produce", "null records", "the reference never answers it; Dohle says INVALID_RECORD as for empty ones"),
]


def reason(result):
    """Why this case may differ; None if it may not."""
    for walk, case, why in CASES:
        if result.walk == walk and case in (None, result.case):
            return why
    return None
