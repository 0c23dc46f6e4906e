import base from './playwright.config.ts';
export default { ...base, workers: 1, globalSetup: ['./build-console.ts'], outputDir: '/tmp/cons/results', projects: [{ name: 'demo', testDir: './demo' }] };
