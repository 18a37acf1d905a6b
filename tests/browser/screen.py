"""What a page is shown on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Screen:
    """Size in CSS pixels, touch, and what the system's settings ask of a page."""

    width: int
    height: int
    phone: bool = False  # touch, and the page's own viewport
    dark: bool = False
    reduced_motion: bool = False

    def options(self) -> dict[str, Any]:
        """What `Browser.new_context` takes."""
        return {
            "viewport": {"width": self.width, "height": self.height},
            "has_touch": self.phone,
            "is_mobile": self.phone,
            "color_scheme": "dark" if self.dark else "light",
            "reduced_motion": "reduce" if self.reduced_motion else "no-preference",
            "locale": "en-GB",
            "timezone_id": "UTC",
        }


DESKTOP = Screen(width=1440, height=900)
PHONE = Screen(width=390, height=844, phone=True)
