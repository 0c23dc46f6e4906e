import { useEffect } from 'react';
import { toast } from 'react-hot-toast/headless';
import { ChannelForm } from './ChannelForm.tsx';
import { useCreateChannel, type WithSecret } from './use-secret-call.ts';
import { everyEvent, messages } from './words.ts';

export function CreateChannelDialog({ onClose, onMade }: { onClose: () => void; onMade: (made: WithSecret) => void }) {
  const create = useCreateChannel(onMade);
  useEffect(() => {
    if (create.error) toast.error(messages.create);
  }, [create.error]);
  return (
    <ChannelForm
      title="New channel"
      first={{ name: '', type: 'webhook', url: '', events: everyEvent }}
      submitLabel="Create channel"
      busy={create.busy}
      error={create.error}
      failed={messages.create}
      onSubmit={(values) => void create.run(values)}
      onClose={onClose}
    />
  );
}
