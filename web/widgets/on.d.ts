/** Event types for listeners in templates. */
export type On<E extends Element, T extends Event = Event> = T & { target: E; currentTarget: E };
export type OnInput = On<HTMLInputElement>;
export type OnSelect = On<HTMLSelectElement>;
export type OnText = On<HTMLTextAreaElement>;
export type OnToggle = On<HTMLDetailsElement>;
export type OnPress = On<HTMLElement, MouseEvent>;
