import { Notice } from './Notice.tsx';
import { PageHeader } from './PageHeader.tsx';

/** What a session that may only read sees in place of a form. */
export function ReadOnlyPage({ title }: { title: string }) {
  return (
    <>
      <PageHeader title={title} />
      <div className="page-body pad">
        <Notice tone="plain" title="This session is read-only.">
          Sending is not offered here: the gateway refuses everything that changes something at the provider.
        </Notice>
      </div>
    </>
  );
}
