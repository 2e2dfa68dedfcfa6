// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.demo.Demo;
import dev.mooring.distribution.demo.DemoServer;
import dev.mooring.distribution.demo.GuestDemo;
import dev.mooring.distribution.demo.ServerDemo;
import dev.mooring.distribution.plugin.Plugins;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mooring demo}: the main job, for real, in a directory of its own or on a machine of its own. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Shows the life of a real volume.",
            "A claim is bound to the volume, a pod mounts it and writes a file, the claim is deleted, and the volume is recycled.",
            "The demo uses a temporary directory and leaves nothing behind.",
            "With nfs or iscsi the volume comes from a real server or target, in a guest with a kernel of its own. That needs root",
            "on Debian 12 and the package mmdebstrap. The demo names what is missing and installs nothing.",
            "Exit status: 0 the demo succeeded, 1 it failed, 3 this machine cannot run it."
        })
final class DemoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "STORAGE",
            description = "nfs or iscsi. Default: a directory of this machine",
            converter = ServerName.class)
    private @Nullable DemoServer server;

    @Option(names = "--in-guest", hidden = true, description = "this is the machine with the server")
    private boolean inGuest;

    @Override
    public Integer call() {
        Optional<DemoServer> wanted = Optional.ofNullable(server);
        if (wanted.isEmpty()) {
            return status(new Demo(spec.commandLine().getOut(), Plugins.installed()).run());
        }
        if (inGuest) {
            return status(new ServerDemo(spec.commandLine().getOut(), Plugins.installed(), wanted.get()).run());
        }
        String home = System.getProperty("mooring.home", "");
        if (home.isEmpty()) {
            throw new IllegalStateException(
                    "this demonstration is started by ./mooring, which knows where the guest is");
        }
        return new GuestDemo(Path.of(home), spec.commandLine().getErr()).run(wanted.get());
    }

    private static int status(boolean well) {
        return well ? 0 : 1;
    }

    /** Reads a name, in lower case as it is written. */
    static final class ServerName implements picocli.CommandLine.ITypeConverter<DemoServer> {
        @Override
        public DemoServer convert(String value) {
            return DemoServer.named(value)
                    .orElseThrow(() ->
                            new picocli.CommandLine.TypeConversionException("'" + value + "' is not nfs or iscsi"));
        }
    }
}
