// Brings the picker to the hand page once the page itself works: what is typed meanwhile must not wait for it.

import("./count_dialog.js");
