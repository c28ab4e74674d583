import { testTrigger } from '../support/n8n/trigger';

testTrigger('polls as by default', {});
