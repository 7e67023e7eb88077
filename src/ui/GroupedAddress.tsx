import { Fragment } from 'react';

/** An address in groups of four, apart by margins, so that a selection copies it without gaps; the length is stated. */
export function GroupedAddress({ value }: { value: string }) {
  const groups = Array.from(value.match(/[\s\S]{1,4}/g) ?? [], (text, index) => ({ text, at: index * 4 }));
  return (
    <>
      <bdi className="chunks">
        {groups.map(({ text, at }) => (
          <Fragment key={at}>
            <span>{text}</span>
            <wbr />
          </Fragment>
        ))}
      </bdi>
      <span className="small dim block">{value.length} characters</span>
    </>
  );
}
