/* Every component of src/ui on one page, for development: `npm run dev`, then /test/kitchen-sink.html. Not part of the build. */
import '../src/ui/theme/styles.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { Ellipsis, RotateCw, Square, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { toast } from 'react-hot-toast/headless';
import { Button } from '../src/ui/controls/Button.tsx';
import { Checkbox } from '../src/ui/controls/Checkbox.tsx';
import { CopyButton } from '../src/ui/controls/CopyButton.tsx';
import { DropZone } from '../src/ui/controls/DropZone.tsx';
import { Field } from '../src/ui/controls/Field.tsx';
import { FilterChip } from '../src/ui/controls/FilterChip.tsx';
import { Input } from '../src/ui/controls/Input.tsx';
import { Select } from '../src/ui/controls/Select.tsx';
import { Switch } from '../src/ui/controls/Switch.tsx';
import { Textarea } from '../src/ui/controls/Textarea.tsx';
import { TextLink } from '../src/ui/controls/TextLink.tsx';
import { ThemeToggle } from '../src/ui/controls/ThemeToggle.tsx';
import { Badge } from '../src/ui/feedback/Badge.tsx';
import { Banner } from '../src/ui/feedback/Banner.tsx';
import { EmptyState } from '../src/ui/feedback/EmptyState.tsx';
import { ErrorState } from '../src/ui/feedback/ErrorState.tsx';
import { FormError } from '../src/ui/feedback/FormError.tsx';
import { Meter } from '../src/ui/feedback/Meter.tsx';
import { Skeleton } from '../src/ui/feedback/Skeleton.tsx';
import { StageRail } from '../src/ui/feedback/StageRail.tsx';
import { StatusBadge } from '../src/ui/feedback/StatusBadge.tsx';
import { Toasts } from '../src/ui/feedback/Toasts.tsx';
import { UploadProgress } from '../src/ui/feedback/UploadProgress.tsx';
import { Avatar } from '../src/ui/layout/Avatar.tsx';
import { Card } from '../src/ui/layout/Card.tsx';
import { PageHeader } from '../src/ui/layout/PageHeader.tsx';
import { Table } from '../src/ui/layout/Table.tsx';
import { Tabs } from '../src/ui/layout/Tabs.tsx';
import { ConfirmDialog } from '../src/ui/overlays/ConfirmDialog.tsx';
import { Dialog } from '../src/ui/overlays/Dialog.tsx';
import { Drawer } from '../src/ui/overlays/Drawer.tsx';
import { Menu } from '../src/ui/overlays/Menu.tsx';
import { CodeSample } from '../src/ui/text/CodeSample.tsx';
import { IdText } from '../src/ui/text/IdText.tsx';
import { Kbd } from '../src/ui/text/Kbd.tsx';
import { PlanLabel } from '../src/ui/text/PlanLabel.tsx';
import { Timestamp } from '../src/ui/text/Timestamp.tsx';
import { Icon } from '../src/ui/theme/Icon.tsx';

type Row = { agent: string; status: string; note?: string; id: string; duration: string; secondsAgo: number };
const rows: Row[] = [
  { agent: 'invoice-triage', status: 'building', id: 'dep_01J9Q0Ol1I0', duration: '0:42', secondsAgo: 42 },
  { agent: 'support-router', status: 'active', id: 'dep_01J9PZK8BQ7', duration: '1:08', secondsAgo: 3 * 3600 },
  { agent: 'web-scout', status: 'failed', note: 'at build', id: 'dep_01J9PX2S5Z2', duration: '0:19', secondsAgo: 5 * 3600 },
  { agent: 'nightly-eval', status: 'queued', id: 'dep_01J9R1D6G9C', duration: '–', secondsAgo: 0 },
  { agent: 'pii-redactor', status: 'stopped', id: 'dep_01J9H3TW4E1', duration: '1:31', secondsAgo: 2 * 86400 },
  { agent: 'weekly-report', status: 'completed', id: 'dep_01J9H3TW4E2', duration: '1:31', secondsAgo: 3 * 86400 },
  { agent: 'from-tomorrow', status: 'hibernating', id: 'dep_01J9H3TW4E3', duration: '1:31', secondsAgo: 4 * 86400 },
];
const start = Date.now();

const Row = ({ children }: { children: ReactNode }) => <div className="flex flex-wrap items-center gap-2.5">{children}</div>;

function KitchenSink() {
  const [tab, setTab] = useState<'plans' | 'usage'>('plans');
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'drawer' | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const close = () => setOpen(null);
  return (
    <main className="w-full max-w-[1320px] px-4 py-5 lg:px-7">
      <PageHeader
        title="Deployments"
        count="12 in 3 projects"
        actions={
          <>
            <Button>
              Search <Kbd keys="⌘K" />
            </Button>
            <Button variant="primary">Deploy agent</Button>
          </>
        }
      />
      <div className="flex flex-col gap-4">
        <Row>
          <FilterChip active onClear={close}>
            Status: failed, building
          </FilterChip>
          <FilterChip>Project</FilterChip>
          <FilterChip>Last 24 h</FilterChip>
        </Row>
        <Table
          caption="Deployments"
          rows={rows}
          rowKey={(row) => row.id}
          columns={[
            { head: 'Agent', lead: true, cell: (row) => row.agent },
            { head: 'Status', cell: (row) => <StatusBadge status={row.status} /> },
            { head: 'Stage', cell: (row) => <StageRail status={row.status} failedAt="building" note={row.note} /> },
            { head: 'Version', cell: (row) => <IdText id={row.id} /> },
            { head: 'Duration', cell: (row) => <span className="font-mono text-mono">{row.duration}</span> },
            { head: 'Started', cell: (row) => <Timestamp at={new Date(start - row.secondsAgo * 1000).toISOString()} /> },
            {
              head: 'Actions',
              quiet: true,
              cell: (row) => (
                <Menu
                  label={`Actions for ${row.agent}`}
                  groups={[
                    [
                      { label: 'Redeploy', icon: RotateCw, onSelect: () => toast.success(`Redeploying ${row.agent}`) },
                      { label: 'Stop', icon: Square, disabled: true, onSelect: close },
                    ],
                    [{ label: 'Delete', icon: Trash2, danger: true, onSelect: () => setOpen('confirm') }],
                  ]}
                >
                  <Icon of={Ellipsis} />
                </Menu>
              ),
            },
          ]}
        />
        <Row>
          <Button variant="primary">Primary</Button>
          <Button>Secondary</Button>
          <Button variant="ghost">Ghost</Button>
          <Button variant="danger">Danger</Button>
          <Button variant="primary" busy>
            Creating...
          </Button>
          <Button disabled>Disabled</Button>
          <CopyButton text="dep_01J9Q0Ol1I0" label="Copy id" word="Copy" />
          <CopyButton text="dep_01J9Q0Ol1I0" label="Copy id" />
          <ThemeToggle />
          <PlanLabel plan="Starter" />
          <Avatar name="Ada" />
          <TextLink href="#x">A link</TextLink>
          <Badge tone="success" glyph="disc">
            Following
          </Badge>
        </Row>
        <Row>
          <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
          <Button onClick={() => setOpen('confirm')}>Open confirm</Button>
          <Button onClick={() => setOpen('drawer')}>Open drawer</Button>
          <Button onClick={() => toast('A plain message')}>Toast</Button>
          <Button onClick={() => toast.success('Copied to clipboard!')}>Success toast</Button>
          <Button onClick={() => toast.error('Failed to create project')}>Error toast</Button>
          <Button onClick={() => toast.loading('Working')}>Loading toast</Button>
        </Row>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <Card
            title="Form"
            aside={
              <Badge tone="info" glyph="ring">
                Draft
              </Badge>
            }
            actions="3 fields"
          >
            <div className="flex flex-col gap-4">
              <FormError>Login failed. Try demo account: demo@paddock.dev / paddock-demo</FormError>
              <Field label="Name" hint="Lowercase letters, numbers and hyphens" error="Project name cannot be empty" required>
                <Input defaultValue="-" />
              </Field>
              <Field label="Description">
                <Textarea placeholder="What it is for" />
              </Field>
              <Field label="Environment">
                <Select defaultValue="preview">
                  <option value="production">Production</option>
                  <option value="preview">Preview</option>
                </Select>
              </Field>
              <Checkbox label="Remember me" defaultChecked />
              <Checkbox label="I accept the Terms of Service" error="You must accept the Terms of Service" />
              <Switch label="Auto-refresh" defaultChecked />
              <Switch label="Wrap lines" />
            </div>
          </Card>
          <div className="flex min-w-0 flex-col gap-4">
            <Card title="Upload">
              <div className="flex flex-col gap-4">
                <DropZone label="Drop a ZIP or choose one" hint="One .zip, up to 250 MB" accept=".zip" file={file} onFile={setFile} />
                <UploadProgress label="invoice-triage.zip" phase="Uploading" done={0.42} onCancel={close} />
                <UploadProgress label="invoice-triage.zip" phase="Checking" done={undefined} />
              </div>
            </Card>
            <Card title="Usage">
              <div className="flex flex-col gap-4">
                <Meter label="Compute" value={42} max={100} text="42.0 of 100 hours" />
                <Meter
                  label="Bandwidth"
                  value={960}
                  max={1000}
                  text="960.0 of 1000 GB"
                  tone="warning"
                  note="At 100 % new deployments wait."
                />
              </div>
            </Card>
            <CodeSample
              code={'curl -X POST https://paddock.example/api/v1/deployments -H "Authorization: Bearer $PADDOCK_API_KEY"'}
              label="Deploy with curl"
            />
          </div>
        </div>
        <Tabs
          label="Billing"
          tabs={[
            { id: 'plans', label: 'Plans & Pricing' },
            { id: 'usage', label: 'Usage & Costs', count: 3 },
          ]}
          value={tab}
          onChange={setTab}
        >
          The panel of {tab}
        </Tabs>
        <Banner>
          <b className="font-bold">Demo data</b>: samples to try things on.
        </Banner>
        <Banner tone="warning" action={<Button>Go to Billing</Button>}>
          The subscription ends on 1 Dec 2026.
        </Banner>
        <ErrorState
          message="The deployments could not be loaded. Running agents are not affected."
          requestId="req_01J9Q0Ol1I0"
          onRetry={close}
        />
        <EmptyState action={<Button variant="primary">Deploy agent</Button>} command="paddock deploy ./my-agent">
          No deployments yet. Drop a ZIP or deploy the sample agent.
        </EmptyState>
        <Skeleton rows={2} />
        <Skeleton rows={3} kind="cards" />
      </div>
      <Dialog
        open={open === 'dialog'}
        onClose={close}
        title="New project"
        description="A project holds the deployments of one agent."
        onSubmit={(event) => event.preventDefault()}
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" variant="primary">
              Create project
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-4">
          <Field label="Name" required>
            <Input />
          </Field>
          <Field label="Description">
            <Textarea />
          </Field>
          <CopyButton text="inside a dialog" label="Copy" word="Copy" />
        </div>
      </Dialog>
      <ConfirmDialog
        open={open === 'confirm'}
        onClose={close}
        title="Delete project invoice-triage?"
        confirmLabel="Delete project"
        danger
        typedName="invoice-triage"
        onConfirm={close}
      >
        Its agents stop, and its routes, databases, logs and stored code go. Audit records stay.
      </ConfirmDialog>
      <Drawer open={open === 'drawer'} onClose={close} title="Deployment dep_01J9Q0Ol1I0">
        The detail of a row.
      </Drawer>
      <Toasts />
    </main>
  );
}

const place = document.getElementById('root');
if (!place) throw new Error('kitchen-sink.html has no #root.');
createRoot(place).render(
  <CSPProvider disableStyleElements>
    <KitchenSink />
  </CSPProvider>,
);
