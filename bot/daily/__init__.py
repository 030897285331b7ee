"""What members missed: /catchup."""
