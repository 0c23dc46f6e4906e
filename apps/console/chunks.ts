/** Which modules are built into one file. `budget.mjs` measures the resulting sizes. */

const icons = (...names: string[]) => new RegExp(`/icons/(?:${names.join('|')})\\.mjs$`);
const ui = (...names: string[]) => new RegExp(`/src/ui/(?:${names.join('|')})\\.tsx?$`);
/** Files and folders of a feature, but no page: each page is a file of its own, which its budget measures. */
const feature = (name: string, ...parts: string[]) =>
  new RegExp(`/src/features/${name}/(?:${parts.join('|')})(?<!Page\\.tsx|/queries\\.ts|/search\\.ts|/demo/.*)$`);
const src = (...paths: string[]) => new RegExp(`/src/(?:${paths.join('|')})\\.tsx?$`);
const baseUi = (...paths: string[]) => new RegExp(`/@base-ui/react/(?:${paths.join('|')})`);

/**
 * Modules that are needed together or by many pages. As a separate file, each would cost a request and a file name in every import, and
 * compress badly. Their imports are not pulled in. The first matching name wins.
 */
const parts: [name: string, ...tests: RegExp[]][] = [
  [
    'fields',
    ui(
      'controls/(?:ButtonAnchor|control|Field|field-context|Input|Checkbox|TextLink)',
      'feedback/(?:FormError|Banner)',
      'layout/Ruler',
      'overlays/(?:Menu|menu-item)',
      'preferences/preference',
      'text/Kbd',
      'theme/Logo',
    ),
    icons('circle-x', 'circle-exclamation-point', 'triangle-exclamation-point'),
    src('features/accounts/(?:queries|demo-account)', 'navigation/links', 'api/(?:session|failure|use-action|intentions|fresh-key)'),
  ],
  [
    'parts',
    ui(
      'controls/(?:Select|Textarea|SegmentedControl|Switch|FilterChip|TypedInput|RadioGroup)',
      'feedback/(?:EmptyState|StatusBadge|status|Meter)',
      'layout/(?:PageHeader|Card|Tabs|Table)',
      'text/(?:time|Timestamp|bytes|IdText|SteadyWord|CodeSample|indent-json)',
      'preferences/zone',
    ),
    /\/contract\/src\/(?:terminal-text|figures|alert-rule-table|data-protection|audit-kinds|plans|test-payment-methods|countries)\.ts$/,
    src(
      'features/billing/words',
      'features/billing/plan-limits/PlanLimitNote',
      'features/traces/view',
      'features/projects/project-name',
      'features/governance/trail/duration-text',
      'ui/controls/save-file',
      'ui/overlays/command',
      'commands/command-registry',
    ),
    icons('bell-ring', 'external-link', 'file-text', 'file-archive', 'bot', 'arrow-right', 'eye-off', 'pencil'),
    icons('message-square', 'download', 'upload', 'rotate-ccw-clock', 'rocket', 'key-round', 'trash-2', 'folder-plus', 'folder-closed'),
    icons('eye', 'ellipsis', 'database', 'chart-line', 'arrow-down', 'plus', 'square', 'pen-line', 'trash', 'wrench', 'chevron-down'),
  ],
  // Signing in and up, and the pages of mailed links.
  [
    'entering',
    feature('accounts', 'AccountFrame.*', 'CodeStep.*', 'signup-form.*', 'mailed-links/.*', 'legal/.*'),
    src('features/accounts/(?:(?:mailed-links|legal)/\\w+|Login|Signup)Page', 'features/oauth/(?:ProviderButtons|sign-in|queries)'),
  ],
  // Deployments as the dashboard and the list show them.
  [
    'deployments',
    feature('deployments', 'stages.*', 'messages.*', 'may.*', 'Deployment(?:Menu|Status).*'),
    ui('feedback/StageRail'),
    icons('rotate-cw'),
  ],
  [
    'deployment-rows',
    feature('deployments', 'list/DeploymentsTable.*', 'deploy/(?:megabytes|curl-line|start-sample|SampleButton).*'),
    ui('controls/DropZone'),
  ],
  ['deploy-dialogs', feature('deployments', 'deploy/.*', 'ActionDialog.*', 'try/(?!TryCard).*'), ui('feedback/UploadProgress')],
  [
    'deployment-more',
    feature(
      'deployments',
      'detail/(?:FailureBanner|MissingVariables|missing-variables|CorrectedZip|AddPackages|ProvenanceCard|OriginCards|EndedFacts)\\.tsx?',
    ),
    feature('deployments', 'changes/.*'),
  ],
  ['deployment', feature('deployments', 'detail/.*')],
  [
    'page-dialogs',
    feature('databases', '.*(?:DatabaseDrawer|Dialogs?|Panel)\\.tsx', '(?:byo|connection|backups)/.*'),
    feature('variables', '.*'),
    feature('projects', '\\w+Dialog\\.tsx'),
    feature('api-keys', '\\w+Dialog\\.tsx'),
    feature(
      'alerts/channels',
      '(?!ChannelDialogs)\\w+Dialog.*',
      'DeliveriesDrawer.*',
      'DeliveryRow.*',
      'ChannelForm.*',
      'use-secret-call.*',
      'EventFields.*',
    ),
    feature('accounts', 'profile/(?:TwoFactor\\w+Dialog|RecoveryCodes\\w*|QrCode|save-text|DeleteAccountDialog).*'),
    feature('traces', 'prices/.*'),
    feature('governance', 'protection/.*'),
    /\/uqr\//,
  ],
  ['plans', feature('billing', 'PaymentBanner.*', 'plans/.*', 'settings/.*', 'invoices/.*')],
  [
    'governance-parts',
    feature('governance', '(?:compliance|policies|lineage|data|access-review)/.*', 'JsonBlock.*', 'visible-json.*', 'GovernanceDialogs.*'),
    feature('governance', 'trail/(?:AuditDialog|AuditFacts|PiiFound|TraceWays|ExportDialog|export-formats|use-export|record-data).*'),
  ],
  ['demo', /\/src\/(?:demo|features\/(?:[\w-]+\/)+demo)\//, /\/packages\/billing\//],
  ['queries', /\/src\/features\/(?!accounts|oauth)(?:alerts\/[\w-]+|billing\/plan-limits|[\w-]+)\/queries\.ts$/],
  [
    'overlays',
    src('app/shell/(?:Overlays|NavigationSheet)', 'ui/overlays/(?:CommandMenu|ShortcutSheet)'),
    feature('alerts/bell', '(?!AlertsBell).*'),
  ],
  // Menus and popovers, which are anchored to the pressed control. A page with a dialog does not need them.
  [
    'popups',
    ui('overlays/MenuPopup'),
    /\/@floating-ui\/(?!.*utils\.dom)/,
    baseUi('menu', 'menubar', 'context-menu', 'separator', 'toolbar', 'popover'),
    baseUi('floating-ui-react/(?:middleware|hooks/(?:useList|useType|useHover|useFloating\\.))'),
    baseUi('internals/(?:composite/list|useAnchor|direction|resolve|useTriggerSw|getDisabled|useValueCh)'),
    baseUi('utils/(?:hide|adaptive|CommonPositioner|usePositioner|useAnchored|useOpenInter|getHighlight|closePart)'),
  ],
  [
    'dialogs',
    ui('overlays/(?:Dialog|ConfirmDialog|Drawer|dialog-look|steady-popup)'),
    /\/@floating-ui\//,
    /\/@base-ui\/(?!react\/(?:csp-provider|internals\/csp))/,
  ],
];

export const chunks = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  { name: 'tanstack', test: /node_modules\/@tanstack\/(react-router|router-core|history|store|react-store|react-query|query-core)\// },
  // The other modules that every first page needs.
  { name: 'core', tags: ['$initial' as const] },
  ...parts.map(([name, ...tests]) => ({
    name,
    test: (path: string) => tests.some((test) => test.test(path)),
    includeDependenciesRecursively: false,
  })),
];
