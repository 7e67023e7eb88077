import { isObject } from '#src/lib/answers.ts';
import { RawText } from '#src/ui/RawText.tsx';

/** The name that a colleague gave a recipient. */
export function nameOf(recipient: unknown) {
  const name = isObject(recipient) && typeof recipient['name'] === 'string' ? recipient['name'] : '';
  return (
    <b>
      <RawText value={name} max={80} />
    </b>
  );
}
