"""What a plug-in sees of the core: boards, dice services, rule systems, reporters."""
