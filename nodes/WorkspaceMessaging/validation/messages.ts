export { quoted } from './labels';
