import './call-intake.test';
