import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { TextLink } from '../../ui/controls/TextLink.tsx';

/** The address of a serving app, to open and to copy. */
export function AppAddress({ url }: { url: string }) {
  return (
    <span className="-my-0.5 flex items-center gap-1">
      <span className="min-w-0 break-all">
        <TextLink href={url} target="_blank" rel="noreferrer">
          {url}
        </TextLink>
      </span>
      <CopyButton text={url} label="Copy address" />
    </span>
  );
}
