import type { Invited } from '#src/shared/contract/peopleContract.ts';
import { paths } from '#src/shared/paths.ts';
import { revealHidden } from '#src/shared/text.ts';
import { CopyText } from '#src/web/ui/CopyButton.tsx';
import { InputField, inputClass } from '#src/web/ui/Field.tsx';
import { focusOnMount } from '#src/web/ui/focus.ts';
import { Time } from '#src/web/ui/Time.tsx';

/** The link of a new invite. It is shown only once. */
export function InviteLink({ invited, name }: { invited: Invited; name: string }) {
  const link = new URL(paths.join(invited.token), window.location.origin).href;
  return (
    <div className="form">
      <div className="grid gap-2">
        <InputField
          label="Invite link"
          help={
            <>
              Works once, until <Time unix={invited.expires_at} />. It is shown only now.
            </>
          }
          className={`${inputClass} in-mono`}
          ref={focusOnMount}
          value={link}
          readOnly
          onFocus={({ target }) => target.select()}
        />
        <div>
          <CopyText label="Copy link" text={() => link} />
        </div>
      </div>
      <ol className="grid list-decimal gap-1 pl-5">
        <li>Send the link to {revealHidden(name)}.</li>
        <li>They open it, follow the steps, and see a six-digit code.</li>
        <li>
          Have them read the code to you, by phone or in person, and enter it here. It shows that nobody else used the
          link.
        </li>
      </ol>
    </div>
  );
}
