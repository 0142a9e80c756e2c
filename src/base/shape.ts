import { isObject } from "./json.ts";
import { childPointer } from "./json-pointer.ts";

/** Where a value does not fit, and what was wanted there. The pointer is a JSON pointer from the value that was checked. */
export interface Misfit {
  readonly pointer: string;
  readonly want: string;
}

/** `undefined`: it fits. Checks are called for every line of a log, so they build nothing while all is well. */
export type Check = (value: unknown) => Misfit | undefined;

/** A member that may be absent. */
export interface OptionalCheck {
  readonly optional: Check;
}

export const optional = (check: Check): OptionalCheck => ({ optional: check });

const miss = (want: string): Misfit => ({ pointer: "", want });

/** A check by a plain test. */
export function that(want: string, test: (value: unknown) => boolean): Check {
  return (value) => (test(value) ? undefined : miss(want));
}

export const text: Check = that("a string", (value) => typeof value === "string");
export const flag: Check = that("true or false", (value) => typeof value === "boolean");
/** A whole number from 0 that a double holds exactly. */
export const count: Check = that("a whole number from 0", (value) => Number.isSafeInteger(value) && Number(value) >= 0);
export const sha256Hex: Check = that("a SHA-256 in lower-case hex", (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value));
/** Any JSON; what came out of a parser is not walked again. */
export const json: Check = that("a JSON value", (value) => value !== undefined);
export const jsonObject: Check = that("an object", isObject);

export function oneOf(...values: readonly (string | boolean)[]): Check {
  return that(`one of ${values.join(", ")}`, (value) => values.some((candidate) => candidate === value));
}

export function orNull(check: Check): Check {
  return (value) => (value === null ? undefined : check(value));
}

export function list(item: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return miss("a list");
    for (let index = 0; index < value.length; index++) {
      const misfit = item(value[index]);
      if (misfit) return below(index, misfit);
    }
    return undefined;
  };
}

/** A member for each key of `T`, so that a field cannot be added to a type without its check. */
export type Fields<T> = { readonly [Key in keyof T]-?: undefined extends T[Key] ? OptionalCheck : Check };

/** `object` with the members of `T`. */
export function fields<T>(members: Fields<T>): Check {
  return object(members);
}

/** An object with these members; others may stand beside them, as a later version may add some. */
export function object(members: Readonly<Record<string, Check | OptionalCheck>>): Check {
  const checks = Object.entries(members).map(([key, member]) =>
    typeof member === "function" ? { key, check: member, mayMiss: false } : { key, check: member.optional, mayMiss: true },
  );
  return (value) => {
    if (!isObject(value)) return miss("an object");
    for (const { key, check, mayMiss } of checks) {
      const member = value[key];
      if (member === undefined && mayMiss) continue;
      const misfit = check(member);
      if (misfit) return below(key, misfit);
    }
    return undefined;
  };
}

/** Has no member but these: for what must not say more than is understood. */
export function noneBut(names: readonly string[]): Check {
  const known = new Set(names);
  return (value) => {
    const other = isObject(value) ? Object.keys(value).find((name) => !known.has(name)) : undefined;
    return other === undefined ? undefined : below(other, miss("no such member"));
  };
}

/** The shape is chosen by the value of one member. */
export function tagged(tag: string, shapes: Readonly<Record<string, Check>>): Check {
  const known = new Map<unknown, Check>(Object.entries(shapes));
  const want = `one of ${[...known.keys()].join(", ")}`;
  return (value) => {
    if (!isObject(value)) return miss("an object");
    const shape = known.get(value[tag]);
    return shape ? shape(value) : below(tag, miss(want));
  };
}

/** All of the checks, the first misfit told. */
export function all(...checks: readonly Check[]): Check {
  return (value) => {
    for (const check of checks) {
      const misfit = check(value);
      if (misfit) return misfit;
    }
    return undefined;
  };
}

export function below(key: string | number, { pointer, want }: Misfit): Misfit {
  return { pointer: childPointer("", key) + pointer, want };
}
