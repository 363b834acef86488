// Amounts are numbers, and each is exact or refused. A decimal of at most 15 significant digits survives a number: what is
// written of it as JSON has the same digits, and what is read of it prints them. So does each safe integer. The service
// counts with decimals, so nothing is rounded on its side.

const DIGITS = 15;

/** Whether the number stands for a decimal that somebody could have written, and not for the rest of a calculation. */
function isWritten(value: number): boolean {
  return Number.isSafeInteger(value) || (Number.isFinite(value) && Number(value.toPrecision(DIGITS)) === value);
}

/** Throws a `RangeError` that names the field, if a number of the body is not exact. */
export function checkNumbers(value: unknown, name = "the body"): void {
  if (typeof value === "number") {
    if (isWritten(value)) return;
    const rest = Number.isFinite(value) ? `: it has more than ${DIGITS} digits, as the rest of a calculation` : "";
    throw new RangeError(
      `${name} is ${value}, which is no exact number${rest}. Count in the smallest unit and divide once at the end, such as 4990 / 100`,
    );
  }
  if (typeof value !== "object" || value === null) return;
  for (const [field, of] of Object.entries(value)) checkNumbers(of, Array.isArray(value) ? name : field);
}

/** Whether a number of JavaScript has all digits of a number in JSON. */
function isExact(token: string): boolean {
  const [mantissa = ""] = token.split(/[eE]/);
  const digits = mantissa.replace(/[-.]/g, "").replace(/^0+/, "").replace(/0+$/, "");
  return digits.length <= DIGITS || (/^-?\d+$/.test(token) && Number.isSafeInteger(Number(token)));
}

/** Parses JSON. Throws a `RangeError` if it has a number that JavaScript would round. */
export function readJson(text: string): unknown {
  // Strings first, because they may have digits.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.]*(?:[eE][-+]?\d+)?/g)) {
    if (!token.startsWith('"') && !isExact(token)) {
      throw new RangeError(`the answer has the number ${token}, which JavaScript would round: read it with another client`);
    }
  }
  return JSON.parse(text) as unknown;
}
