// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.PlayOptions;
import dev.mooring.simulation.PlayOptions.Format;
import dev.mooring.simulation.Player;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Plays a file in a process of its own and leaves the JSON in another file. */
public final class PlayMain {
    private PlayMain() {}

    /** Plays the first argument, writes to the second. */
    public static void main(String[] arguments) throws IOException {
        String json = Player.play(Path.of(arguments[0]), PlayOptions.DEFAULT.withFormat(Format.JSON))
                .output();
        Files.writeString(Path.of(arguments[1]), json);
    }
}
