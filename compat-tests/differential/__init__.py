"""The differential walk: the same requests to the reference and to Dohle, and their answers compared. README.md says how."""
