// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.demo.Demo;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code mooring demo}: the main job, for real, in a directory of its own. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Shows the life of a volume: a claim is bound to it, a pod gets it mounted and writes a file, the claim goes and the",
            "volume is recycled. Uses a temporary directory and leaves nothing behind.",
            "Exit status: 0 it went as it should, 1 it did not."
        })
final class DemoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        return new Demo(spec.commandLine().getOut(), Plugins.installed()).run() ? 0 : 1;
    }
}
