import type { FieldErrors, Resolver, ResolverResult } from 'react-hook-form';
import * as v from 'valibot';

/** What may stand in a field, and what it becomes. */
export type FieldSchema = v.GenericSchema<string, string> | v.GenericSchemaAsync<string, string>;

/**
 * Checks the fields of a form by their schemas, and only those that are asked about: the check of another one may have
 * to wait for a list. A schema may depend on what is typed elsewhere.
 */
export function schemaResolver<Values extends Record<string, string>>(
  schemasFor: (typed: Values) => Record<keyof Values, FieldSchema>,
): Resolver<Values> {
  return async (typed, _, { names }): Promise<ResolverResult<Values>> => {
    const schemas = schemasFor(typed);
    const values = { ...typed };
    const errors: FieldErrors<Values> = {};
    for (const name of names ?? []) {
      const checked = await v.safeParseAsync(schemas[name], typed[name]);
      if (checked.success) Object.assign(values, { [name]: checked.output });
      else Object.assign(errors, { [name]: { type: 'schema', message: checked.issues[0].message } });
    }
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
  };
}
