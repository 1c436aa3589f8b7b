import './many-dependents.test';
