// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The storage servers of a guest; elsewhere the tests are skipped. */
public final class GuestServices {
    private static final Optional<Path> KIT = Arrays.stream(
                    System.getenv().getOrDefault("PATH", "").split(":", -1))
            .map(directory -> Path.of(directory, "services"))
            .filter(Files::isExecutable)
            .findFirst();

    private GuestServices() {}

    /** Skips the test elsewhere. */
    public static void need() {
        assumeTrue(KIT.isPresent(), "needs the guest's services");
    }

    /** Output is not read: the daemons that are started keep it open. */
    public static void service(String... words) {
        List<String> all = new ArrayList<>(List.of(KIT.orElseThrow().toString()));
        all.addAll(List.of(words));
        try {
            assertThat(new ProcessBuilder(all).inheritIO().start().waitFor())
                    .as(all.toString())
                    .isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** What a tool says that has to succeed. */
    public static String tool(String... words) {
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor())
                    .as(String.join(" ", words) + ": " + said)
                    .isZero();
            return said.strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
