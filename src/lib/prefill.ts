/** A text that another page handed over for a new form, in the router's state; '' when there is none. */
export function prefilled(state: unknown, name: string): string {
  const text = property(property(state, 'prefill'), name);
  return typeof text === 'string' ? text : '';
}

function property(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
