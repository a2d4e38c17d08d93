"""Which files of the project there are: what git tracks or would track; never the build trees."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The folders of the product, where every rule of the house holds. compat-tests is a house of its own.
PRODUCT_FOLDERS = ("codec/", "protocol/", "server/")


def files(root: pathlib.Path = ROOT) -> list[str]:
    """Paths relative to `root`, sorted; files that were deleted but not yet committed are left out."""
    output = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root, check=True, capture_output=True, text=True,
    ).stdout
    return sorted(path for path in set(output.split("\0")) if path and (root / path).is_file())


def is_cpp(path: str) -> bool:
    return path.endswith((".cc", ".h"))


def is_product(path: str) -> bool:
    return path.startswith(PRODUCT_FOLDERS)
