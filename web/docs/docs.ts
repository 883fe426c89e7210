/** Applies the theme and palette to the documentation pages. */
import { applySettings } from "../session/theme.js";

applySettings();
