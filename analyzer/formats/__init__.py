"""What trees look like in files, and which format a file is in."""
