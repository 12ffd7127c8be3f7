from awhm_hooks.entry import main

main()
