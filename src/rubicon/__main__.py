"""`python -m rubicon`: the same as the command `rubicon`."""

import sys

from rubicon.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
