/** Scripts of at most 64 Ki characters that are made to keep a planner busy: each by its name. */
export declare const HOSTILE: Readonly<Record<string, string>>;
