import { Select } from '../../ui/controls/Select.tsx';

interface Props {
  agents: readonly { id: string; label: string }[];
  /** The id of the agent that is shown. */
  chosen: string | undefined;
  onAgent: (id: string) => void;
}

/** Selects the shown agent. */
export const AgentSelect = ({ agents, chosen, onAgent }: Props) => (
  <div className="mb-3 w-64 max-w-full max-sm:w-full">
    <Select aria-label="Agent" value={chosen ?? ''} onChange={(event) => onAgent(event.target.value)}>
      {agents.some(({ id }) => id === chosen) ? null : (
        <option value={chosen ?? ''}>{chosen === undefined ? 'Loading' : 'One agent'}</option>
      )}
      {agents.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </Select>
  </div>
);
