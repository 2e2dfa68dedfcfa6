// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.demo;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Boots a machine with a kernel of its own, in which this program tells its story. Nothing on this machine is mounted or listens. */
public final class GuestDemo {
    /** What the kit answers when this machine lacks something. */
    private static final int CANNOT = 3;

    private static final int FAILED = 1;

    private final Path home;
    private final PrintWriter err;

    /**
     * Prepares the story.
     *
     * @param home where Mooring lies
     * @param err where what this machine lacks is printed
     */
    public GuestDemo(Path home, PrintWriter err) {
        this.home = home;
        this.err = err;
    }

    /** Builds the guest if need be and boots it; answers the exit status. */
    public int run(DemoServer server) {
        Path kit = home.resolve("e2e/guest");
        if (!Files.isExecutable(kit.resolve("build"))) {
            err.println("mooring: the guest's files are not in " + kit);
            return CANNOT;
        }
        try {
            int built = new ProcessBuilder(kit.resolve("build").toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start()
                    .waitFor();
            return built == 0 ? boot(kit, server) : built == CANNOT ? CANNOT : FAILED;
        } catch (IOException e) {
            err.println("mooring: " + e.getMessage());
            return FAILED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return FAILED;
        }
    }

    private static int boot(Path kit, DemoServer server) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(kit.resolve("run").toString()));
        command.addAll(List.of("--timeout", "600", "--jdk", System.getProperty("java.home")));
        String path = System.getProperty("jdk.module.path", "");
        for (String entry : path.split(File.pathSeparator, -1)) {
            command.addAll(List.of("--share", entry + ":ro"));
        }
        command.addAll(List.of("--", "java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-p", path));
        command.addAll(List.of("-m", "dev.mooring.distribution/dev.mooring.distribution.Main", "demo"));
        command.addAll(List.of(server.argument(), "--in-guest"));
        Process guest = new ProcessBuilder(command).inheritIO().start();
        Runtime.getRuntime().addShutdownHook(new Thread(guest::destroy, "mooring-demo-guest"));
        return guest.waitFor() == 0 ? 0 : FAILED;
    }
}
