"""The table of refusals in `docs/cases.md`: a row for every refusal, with its code and sentence."""

from rubicon.rules.refusals import REASONS


def with_refusals(page: str) -> str:
    """The page with its table of refusals written anew; the rest is as it was.

    The table is the block of rows that holds `action/malformed`. Raises ValueError without one.
    """
    lines = page.splitlines()
    somewhere = next((i for i, line in enumerate(lines) if "| `action/malformed` |" in line), None)
    if somewhere is None:
        raise ValueError("the page has no table of refusals")
    start = end = somewhere
    while lines[start - 1].startswith("| `"):
        start -= 1
    while end < len(lines) and lines[end].startswith("| `"):
        end += 1
    rows = sorted(f"| `{reason.code}` | {reason.sentence} |" for reason in REASONS.values())
    return "\n".join([*lines[:start], *rows, *lines[end:]]) + "\n"
