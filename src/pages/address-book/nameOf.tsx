import { isObject } from '#src/lib/answers.ts';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';

/** The name that a colleague gave a recipient. */
export function nameOf(recipient: unknown) {
  const name = isObject(recipient) && typeof recipient['name'] === 'string' ? recipient['name'] : '';
  return (
    <b>
      <UntrustedText value={name} max={80} />
    </b>
  );
}
