-- Run by the PostgreSQL image when its volume is empty: Inngest keeps its history beside ours.
CREATE DATABASE inngest;
