import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { KeyRound, LogIn } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import * as v from 'valibot';
import { PERSON_NAME_MAX, personNameSchema, type Ticket } from '#src/shared/contract/peopleContract.ts';
import { paths } from '#src/shared/paths.ts';
import { rolesOf } from '#src/shared/permissions.ts';
import { capital, listInWords, revealHidden } from '#src/shared/text.ts';
import { describeError } from '#src/web/api/errors.ts';
import { joinWithPasskey, leaveForProvider, requestTicket } from '#src/web/api/people.ts';
import { useSignOut } from '#src/web/api/signOut.ts';
import { SixDigits } from '#src/web/resources/SixDigits.tsx';
import { LoadError } from '#src/web/list/ErrorNotice.tsx';
import { CommandButton, PasskeyButton } from '#src/web/list/CommandButton.tsx';
import { forgetDrafts } from '#src/web/storage/drafts.ts';
import { moneyLabel, readGateway } from './gateway.ts';
import { OidcRefusal, useOidcResult } from './OidcSignIn.tsx';
import { SignInFrame } from './SignInFrame.tsx';
import { Button, buttonClass } from '#src/web/ui/Button.tsx';
import { InputField } from '#src/web/ui/Field.tsx';
import { Fact, Facts } from '#src/web/ui/Facts.tsx';
import { focusOnMount } from '#src/web/ui/focus.ts';
import { Notice } from '#src/web/ui/Notice.tsx';
import { useDocumentTitle } from '#src/web/ui/PageHeader.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';

type Invite = NonNullable<Ticket['invite']>;

/** The page that an invite link opens. */
export function Component() {
  useDocumentTitle('Join');
  const token = useInviteToken();
  const [gateway] = useState(readGateway);
  const host = gateway?.signIn === 'oidc' ? (gateway.provider ?? '') : null;
  return (
    <SignInFrame>
      {token !== '' ? <Join key={token} token={token} host={host} /> : host === null ? <NoToken /> : <OidcJoined />}
    </SignInFrame>
  );
}

/** Shown when the identity provider has redirected back here. */
function OidcJoined() {
  const result = useOidcResult();
  if (result?.kind === 'joined') return <Joined code={result.code} invite={null} />;
  return (
    <>
      {result?.kind === 'refused' && <OidcRefusal message={result.message} />}
      <NoToken />
    </>
  );
}

/** The token of the link's fragment. It is removed from the URL at once, and nothing stores it. */
function useInviteToken(): string {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const inUrl = hash.slice(1);
  const [token, setToken] = useState(inUrl);
  // Another invite link may be opened in the same tab.
  if (inUrl !== '' && inUrl !== token) setToken(inUrl);
  useEffect(() => {
    if (inUrl !== '') void navigate(paths.join(), { replace: true });
  }, [inUrl, navigate]);
  return token;
}

/** `host`: the identity provider's; null if people join with a passkey. */
function Join({ token, host }: { token: string; host: string | null }) {
  const joining = useMutation({
    mutationFn: async (name: string | undefined) => {
      const invite = { token, ...(name && { name }) };
      if (host === null) return joinWithPasskey(invite);
      await leaveForProvider({ invite });
      return undefined;
    },
  });
  const { invited, reload } = useInvite(token);
  const fault = faultOf(joining.error ?? invited.error);
  if (joining.data) return <Joined code={joining.data.code} invite={invited.data ?? null} />;
  if (fault) return <BadLink fault={fault} />;
  if (invited.error) {
    const of = { error: invited.error, refetch: reload, isFetching: invited.isPending };
    return <LoadError of={of} heading="Couldn’t load the invite" />;
  }
  if (!invited.data) return <Heading title="Join Countinghouse">Loading the invite…</Heading>;
  const { signed_in: signedIn } = invited.data;
  return (
    <>
      <Invited invite={invited.data} />
      {signedIn === null ? (
        <JoinForm invite={invited.data} joining={joining} host={host} />
      ) : (
        <SignOutFirst name={signedIn} onDone={reload} />
      )}
      <p className="dim small">
        {host === null
          ? 'A passkey signs you in with this device’s screen lock or a security key. There is no password, and your fingerprint or face never leaves the device.'
          : `You sign in with your account at ${host}. What you may do is decided here.`}
      </p>
    </>
  );
}

/** Not a query, whose cache is cleared when a session begins or ends: the invite would be loaded again. */
function useInvite(token: string) {
  const invited = useMutation({
    mutationFn: async () => (await requestTicket({ purpose: 'join', token })).invite ?? null,
  });
  const { mutate } = invited;
  useEffect(() => mutate(), [mutate]);
  return { invited, reload: () => mutate() };
}

function Invited({ invite }: { invite: Invite }) {
  const { name, invited_by: invitedBy, permissions, expires_at: expiresAt } = invite;
  const [gateway] = useState(readGateway);
  return (
    <>
      <Heading title="Join Countinghouse">{gateway && <bdi>{moneyLabel(gateway)}</bdi>}</Heading>
      <Facts>
        {name !== null && (
          <Fact label="You">
            <UntrustedText value={name} />
          </Fact>
        )}
        <Fact label="Your role">{capital(listInWords(rolesOf(permissions))) || 'None yet'}</Fact>
        <Fact label="Invited by">
          {invitedBy === null ? 'Whoever runs the server' : <UntrustedText value={invitedBy} />}
        </Fact>
        <Fact label="Link works until">
          <Time unix={expiresAt} /> UTC
        </Fact>
      </Facts>
    </>
  );
}

interface JoinFormProps {
  invite: Invite;
  joining: UseMutationResult<unknown, Error, string | undefined>;
  host: string | null;
}

/** An invite that was created on the server's console has no name, so the person types it. */
function JoinForm({ invite, joining, host }: JoinFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (invite.name !== null) return joining.mutate(undefined);
    const name = v.safeParse(personNameSchema, input.current?.value ?? '');
    setError(name.success ? null : name.issues[0].message);
    if (name.success) return joining.mutate(name.output);
    return input.current?.focus();
  };
  return (
    <form className="form" noValidate onSubmit={submit}>
      {invite.name === null && (
        <InputField
          label="Your name"
          help="As colleagues know you. It is shown beside everything you do."
          error={error && <span role="alert">{error}</span>}
          ref={input}
          name="name"
          autoComplete="name"
          maxLength={PERSON_NAME_MAX}
          required
        />
      )}
      {host === null ? (
        <PasskeyButton
          mutation={joining}
          type="submit"
          variant="primary"
          icon={<KeyRound aria-hidden />}
          cancelled="Cancelled. No passkey was created, and the link still works."
        >
          Create a passkey
        </PasskeyButton>
      ) : (
        <CommandButton
          mutation={joining}
          type="submit"
          variant="primary"
          busy={`Opening ${host}…`}
          icon={<LogIn aria-hidden />}
        >
          Sign in with {host}
        </CommandButton>
      )}
    </form>
  );
}

/** Asks to sign out first: otherwise a passkey would be created for one person while another is signed in. */
function SignOutFirst({ name, onDone }: { name: string; onDone: () => void }) {
  const leaving = useSignOut(() => (forgetDrafts(), onDone()));
  return (
    <div className="grid gap-3">
      <Notice tone="open" title={`${revealHidden(name)} is signed in in this browser.`}>
        Sign out first, then join. If this is {revealHidden(name)}’s device, open the link on yours.
      </Notice>
      <div className="acts-row">
        <Button
          variant="primary"
          disabledReason={leaving.isPending ? 'Signing out' : undefined}
          onClick={() => leaving.mutate()}
        >
          Sign out {revealHidden(name)}
        </Button>
      </div>
      {leaving.error && (
        <p className="msg msg-alarm" role="alert">
          Couldn’t sign out: {describeError(leaving.error).message}
        </p>
      )}
    </div>
  );
}

function Joined({ code, invite }: { code: string | null; invite: Invite | null }) {
  if (code === null) {
    return (
      <>
        <Heading title="You’re in" focused>
          Your passkey works, and you’re signed in.
        </Heading>
        <SignInLink to={paths.home}>Go to Home</SignInLink>
      </>
    );
  }
  const admin = invite?.invited_by ?? null;
  const who = admin === null ? 'an admin of your team' : revealHidden(admin);
  return (
    <>
      <Heading title="Read this code to an admin" focused>
        An admin has to confirm that it’s you.
      </Heading>
      <SixDigits code={code} />
      <ol className="grid list-decimal gap-1 pl-5">
        <li>Call or meet {who}. Don’t send the code with the link.</li>
        <li>They enter it on the People page.</li>
        <li>Then sign in. Keep this page open until then: the code isn’t shown again.</li>
      </ol>
      <SignInLink to={paths.signIn()}>Sign in</SignInLink>
    </>
  );
}

function SignInLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <div className="acts-row">
      <Link className={buttonClass('primary')} to={to}>
        {children}
      </Link>
    </div>
  );
}

interface LinkFault {
  title: string;
  text: string;
}

/** What to do with a link that doesn't work, by the error's code. */
const LINK_FAULTS: Readonly<Record<string, LinkFault>> = {
  invite_used: {
    title: 'This link was already used',
    text: 'If you used it, sign in. If you didn’t, tell whoever invited you at once, and ask for a new link.',
  },
  invite_ended: {
    title: 'This link was revoked or replaced',
    text: 'If you got a newer one, open that. Otherwise ask whoever invited you.',
  },
  invite_expired: {
    title: 'This link has expired',
    text: 'Ask whoever invited you for a new one.',
  },
  invite_unknown: {
    title: 'This link doesn’t work',
    text: 'It may be incomplete. Copy the whole link once more, or ask for a new one.',
  },
};

function faultOf(error: Error | null): LinkFault | undefined {
  return LINK_FAULTS[(error && describeError(error).code) ?? ''];
}

function BadLink({ fault: { title, text } }: { fault: LinkFault }) {
  return (
    <>
      <Heading title={title} focused>
        {text}
      </Heading>
      <SignInLink to={paths.signIn()}>Sign in</SignInLink>
    </>
  );
}

function NoToken() {
  return (
    <>
      <Heading title="Open your invite link again">
        For safety the link is removed from the address bar once it is opened, so a reload loses it. It still works if
        you haven’t created a passkey.
      </Heading>
      <SignInLink to={paths.signIn()}>Sign in</SignInLink>
    </>
  );
}

function Heading({ title, focused = false, children }: { title: string; focused?: boolean; children: ReactNode }) {
  return (
    <div>
      <h1 ref={focused ? focusOnMount : null} tabIndex={-1}>
        {title}
      </h1>
      <p className="sub">{children}</p>
    </div>
  );
}
