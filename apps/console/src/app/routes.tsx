import { createRootRoute, createRoute, lazyRouteComponent, type RouteComponent, redirect } from '@tanstack/react-router';
import { isCliLogin } from '../features/accounts/cli/loopback-callback.ts';
import { apiKeysSearch } from '../features/api-keys/search.ts';
import { billingSearch } from '../features/billing/search.ts';
import { databasesSearch } from '../features/databases/search.ts';
import { deploymentSearch, deploymentsSearch } from '../features/deployments/search.ts';
// Imported for its side effect: it removes the provider's response from the address before the router reads the address.
import '../features/oauth/callback-answer.ts';
import { forgetReturn, keepReturn, takeReturn } from '../api/return-address.ts';
import { endSession, forgetFormer, formerSession, isDemo, readSession } from '../api/session.ts';
import { governanceSearch } from '../features/governance/search.ts';
import { metricsSearch } from '../features/metrics/search.ts';
import { projectSearch, projectsSearch } from '../features/projects/search.ts';
import { variablesSearch } from '../features/variables/search.ts';
import { asGiven, noSearch } from '../navigation/search.ts';
import { Root } from './Root.tsx';
import { settingsSearch } from './settings-search.ts';

// The explicit type keeps the pages out of the router's type: they use it, so it cannot be inferred from them.
const shellPage: RouteComponent = lazyRouteComponent(() => import('./shell/Shell.tsx'), 'Shell');
const loginPage: RouteComponent = lazyRouteComponent(() => import('./LoginRoute.tsx'), 'LoginRoute');
const signupPage: RouteComponent = lazyRouteComponent(() => import('./SignupRoute.tsx'), 'SignupRoute');
const callbackPage: RouteComponent = lazyRouteComponent(() => import('../features/oauth/CallbackPage.tsx'), 'CallbackPage');
const forgotPasswordPage: RouteComponent = lazyRouteComponent(
  () => import('../features/accounts/mailed-links/ForgotPasswordPage.tsx'),
  'ForgotPasswordPage',
);
const resetPasswordPage: RouteComponent = lazyRouteComponent(
  () => import('../features/accounts/mailed-links/ResetPasswordPage.tsx'),
  'ResetPasswordPage',
);
const verifyEmailPage: RouteComponent = lazyRouteComponent(
  () => import('../features/accounts/mailed-links/VerifyEmailPage.tsx'),
  'VerifyEmailPage',
);
const termsPage: RouteComponent = lazyRouteComponent(() => import('../features/accounts/legal/TermsPage.tsx'), 'TermsPage');
const privacyPage: RouteComponent = lazyRouteComponent(() => import('../features/accounts/legal/PrivacyPage.tsx'), 'PrivacyPage');
const dashboardPage: RouteComponent = lazyRouteComponent(() => import('../features/dashboard/DashboardPage.tsx'), 'DashboardPage');
const projectsPage: RouteComponent = lazyRouteComponent(() => import('../features/projects/ProjectsPage.tsx'), 'ProjectsPage');
const projectPage: RouteComponent = lazyRouteComponent(() => import('../features/projects/detail/ProjectPage.tsx'), 'ProjectPage');
const deploymentsPage: RouteComponent = lazyRouteComponent(
  () => import('../features/deployments/list/DeploymentsPage.tsx'),
  'DeploymentsPage',
);
const deploymentPage: RouteComponent = lazyRouteComponent(
  () => import('../features/deployments/detail/DeploymentPage.tsx'),
  'DeploymentPage',
);
const databasesPage: RouteComponent = lazyRouteComponent(() => import('../features/databases/DatabasesPage.tsx'), 'DatabasesPage');
const variablesPage: RouteComponent = lazyRouteComponent(() => import('../features/variables/VariablesPage.tsx'), 'VariablesPage');
const apiKeysPage: RouteComponent = lazyRouteComponent(() => import('../features/api-keys/ApiKeysPage.tsx'), 'ApiKeysPage');
const metricsPage: RouteComponent = lazyRouteComponent(() => import('../features/metrics/MetricsPage.tsx'), 'MetricsPage');
const billingPage: RouteComponent = lazyRouteComponent(() => import('../features/billing/BillingPage.tsx'), 'BillingPage');
const governancePage: RouteComponent = lazyRouteComponent(() => import('../features/governance/GovernancePage.tsx'), 'GovernancePage');
const settingsPage: RouteComponent = lazyRouteComponent(() => import('./SettingsPage.tsx'), 'SettingsPage');
const confirmEmailPage: RouteComponent = lazyRouteComponent(
  () => import('../features/accounts/mailed-links/ConfirmEmailPage.tsx'),
  'ConfirmEmailPage',
);

// A full-screen page has no skeleton while it loads.
const blank = () => null;

const toDashboard = () => {
  throw redirect({ to: '/dashboard', replace: true });
};
const signedOutOnly = () => {
  if (readSession()) throw redirect({ href: takeReturn() ?? '/dashboard', replace: true });
};
// A mailed link belongs to an account of the server, not to the demo.
const leaveDemo = () => {
  if (isDemo(readSession()?.token)) endSession();
};
/** The sign-in returns to the page that was asked for, unless the person signed out there. */
const signedInOnly = ({ location }: { location: { href: string } }) => {
  if (readSession()) return;
  const former = formerSession();
  if (former?.wasLeft) {
    forgetReturn();
    forgetFormer();
  } else keepReturn(location.href, former?.user.id);
  throw redirect({ to: '/login', replace: true });
};

const callback = {
  validateSearch: asGiven,
  beforeLoad: leaveDemo,
  component: callbackPage,
  pendingComponent: blank,
  staticData: { title: 'Sign in' },
};

const root = createRootRoute({ component: Root });
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: signedInOnly,
  component: shellPage,
  pendingComponent: blank,
});

/** Every route of the console. A feature's page is loaded when first needed; its search parser is small and is bundled here. */
export const routeTree = root.addChildren([
  createRoute({ getParentRoute: () => root, path: '/', beforeLoad: toDashboard }),
  createRoute({ getParentRoute: () => root, path: '/$', beforeLoad: toDashboard }),
  createRoute({
    getParentRoute: () => root,
    path: '/login',
    validateSearch: asGiven,
    // `paddock login` opens this page for people who are signed in, too.
    beforeLoad: ({ location }) => (isCliLogin(location.searchStr) ? undefined : signedOutOnly()),
    component: loginPage,
    pendingComponent: blank,
    staticData: { title: 'Sign in' },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/signup',
    validateSearch: noSearch,
    beforeLoad: signedOutOnly,
    component: signupPage,
    pendingComponent: blank,
    staticData: { title: 'Sign up' },
  }),
  createRoute({ getParentRoute: () => root, path: '/auth/callback', ...callback }),
  createRoute({ getParentRoute: () => root, path: '/auth/callback/$provider', ...callback }),
  // The person who opens the mail may not be signed in here.
  createRoute({
    getParentRoute: () => root,
    path: '/confirm-email',
    validateSearch: noSearch,
    beforeLoad: leaveDemo,
    component: confirmEmailPage,
    pendingComponent: blank,
    staticData: { title: 'Change of e-mail address' },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/forgot-password',
    validateSearch: noSearch,
    beforeLoad: leaveDemo,
    component: forgotPasswordPage,
    pendingComponent: blank,
    staticData: { title: 'Forgot password' },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reset-password',
    validateSearch: noSearch,
    beforeLoad: leaveDemo,
    component: resetPasswordPage,
    pendingComponent: blank,
    staticData: { title: 'New password' },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/verify-email',
    validateSearch: noSearch,
    beforeLoad: leaveDemo,
    component: verifyEmailPage,
    pendingComponent: blank,
    staticData: { title: 'Verify e-mail address' },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/terms',
    validateSearch: noSearch,
    component: termsPage,
    pendingComponent: blank,
    staticData: { title: 'Terms of Service' },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/privacy',
    validateSearch: noSearch,
    component: privacyPage,
    pendingComponent: blank,
    staticData: { title: 'Privacy Policy' },
  }),
  shell.addChildren([
    createRoute({
      getParentRoute: () => shell,
      path: '/dashboard',
      validateSearch: noSearch,
      component: dashboardPage,
      staticData: { title: 'Dashboard' },
    }),
    createRoute({
      getParentRoute: () => shell,
      path: '/projects',
      validateSearch: projectsSearch,
      component: projectsPage,
      staticData: { title: 'Projects' },
    }),
    createRoute({
      getParentRoute: () => shell,
      path: '/projects/$id',
      validateSearch: projectSearch,
      component: projectPage,
      staticData: { title: 'Project' },
    }),
    createRoute({
      getParentRoute: () => shell,
      path: '/projects/$id/variables',
      validateSearch: variablesSearch,
      component: variablesPage,
      staticData: { title: 'Variables' },
    }),
    createRoute({
      getParentRoute: () => shell,
      path: '/deployments/$id',
      validateSearch: deploymentSearch,
      component: deploymentPage,
      staticData: { title: 'Deployment' },
    }),
    createRoute({
      getParentRoute: () => shell,
      path: '/deployments',
      validateSearch: deploymentsSearch,
      component: deploymentsPage,
      staticData: { title: 'Deployments' },
    }),
    createRoute({
      getParentRoute: () => shell,
      path: '/databases',
      validateSearch: databasesSearch,
      component: databasesPage,
      staticData: { title: 'Databases' },
    }),
    createRoute({
      getParentRoute: () => shell,
      path: '/api-keys',
      validateSearch: apiKeysSearch,
      component: apiKeysPage,
      staticData: { title: 'API Keys' },
    }),
    createRoute({
      getParentRoute: () => shell,
      path: '/metrics',
      validateSearch: metricsSearch,
      component: metricsPage,
      staticData: { title: 'Metrics' },
    }),
    createRoute({
      getParentRoute: () => shell,
      path: '/billing',
      validateSearch: billingSearch,
      component: billingPage,
      staticData: { title: 'Billing' },
    }),
    createRoute({
      getParentRoute: () => shell,
      path: '/governance',
      validateSearch: governanceSearch,
      component: governancePage,
      staticData: { title: 'Governance' },
    }),
    createRoute({
      getParentRoute: () => shell,
      path: '/settings',
      validateSearch: settingsSearch,
      component: settingsPage,
      staticData: { title: 'Settings' },
    }),
  ]),
]);
