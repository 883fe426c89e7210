/** The pages to read follow the theme and the palette that were chosen on the desks. */
import { applySettings } from "../session/theme.js";

applySettings();
