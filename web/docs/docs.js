/** The pages to read follow the theme and the palette that were chosen on the desks. */
import { setting } from "../session/store.js";

for (const name of ["theme", "palette"]) document.documentElement.dataset[name] = setting(name);
