type Json = unknown;

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * JSON merge patch (RFC 7396: null removes), with two additions: an object patches an array by index
 * (`{"data": {"0": {…}}}`), and `{"$set": value}` puts the value itself, null included.
 */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  if (Object.keys(patch).length === 1 && Object.hasOwn(patch, '$set')) return patch['$set'];
  if (Array.isArray(target) && Object.keys(patch).every((key) => /^\d+$/.test(key))) {
    return target
      .map((item: Json, index) => (Object.hasOwn(patch, index) ? mergePatch(item, patch[index]) : item))
      .filter((_, index) => patch[index] !== null);
  }
  const merged = new Map<string, Json>(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  // fromEntries defines properties: a key named __proto__ stays a key.
  return Object.fromEntries(merged);
}
