import { Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { paths } from '#src/lib/paths.ts';
import { saveFile } from '#src/list/saveFile.ts';
import type { OperationView } from '#src/operations/outcomes.ts';
import { browserOperations } from '#src/operations/browser.ts';
import { useOperationActions } from '#src/operations/useOperationActions.ts';
import { Button, buttonClass } from '#src/ui/Button.tsx';
import { CloseByHand } from './CloseByHand.tsx';
import { evidenceName } from './evidence.ts';

interface SettleElsewhereProps {
  id: string;
  view: Pick<OperationView, 'allowed' | 'disabled'>;
  /** What closing lets happen again. */
  children: ReactNode;
}

/** What a person may do with an operation that this session cannot open: save what is recorded, then close it. */
export function SettleElsewhere({ id, view, children }: SettleElsewhereProps) {
  const { close } = useOperationActions(id);
  const [saved, setSaved] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const save = async () => {
    const text = await browserOperations()
      .evidence(id)
      .catch(() => null);
    if (text === null) {
      setSaid('The record cannot be read, so there is nothing to save.');
      return;
    }
    saveFile(evidenceName(id), [text], 'application/json');
    setSaved(true);
    setSaid('Saved as a file. Keep it: the file holds what is not shown here.');
  };
  return (
    <>
      <div className="acts-row">
        <Button icon={<Download aria-hidden />} onClick={() => void save()}>
          Save the evidence
        </Button>
        {view.allowed.includes('close') && (
          <CloseByHand
            close={close}
            disabledReason={view.disabled.close ?? (saved ? undefined : 'Save the evidence first.')}
          >
            {children}
          </CloseByHand>
        )}
        <Link className={buttonClass('quiet')} to={paths.operations}>
          All operations
        </Link>
      </div>
      <output className={said === null ? 'vh' : 'small sub'}>{said}</output>
    </>
  );
}
