// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * More processes of this program. The first one leaves the classes that it loaded to those that come after, which start in a fraction of
 * the time; that takes jars, so directories of the class path are packed.
 */
final class ChildJvm {
    private static final Path PACKED = Path.of("/tmp/packed");
    private static final Path ARCHIVE = PACKED.resolve("classes.jsa");

    private static String classPath = "";

    private ChildJvm() {}

    /** Starts a class with its output in a file. */
    static synchronized Process start(Path output, Class<?> main, String... arguments) {
        if (classPath.isEmpty()) {
            classPath = packedClassPath();
        }
        List<String> command =
                new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-Xmx256m", "-ea"));
        command.addAll(
                List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
        command.add((Files.exists(ARCHIVE) ? "-XX:SharedArchiveFile=" : "-XX:ArchiveClassesAtExit=") + ARCHIVE);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(Arrays.asList(arguments));
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String packedClassPath() {
        List<String> jars = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path) && !entry.isEmpty()) {
                jars.add(pack(path, PACKED.resolve(jars.size() + ".jar")).toString());
            } else if (Files.isRegularFile(path)) {
                jars.add(entry);
            }
        }
        return String.join(File.pathSeparator, jars);
    }

    private static Path pack(Path directory, Path jar) {
        try {
            Files.createDirectories(PACKED);
            try (OutputStream file = Files.newOutputStream(jar);
                    ZipOutputStream zip = new ZipOutputStream(file);
                    Stream<Path> files = Files.walk(directory)) {
                zip.setLevel(0);
                for (Path each : files.filter(Files::isRegularFile).sorted().toList()) {
                    zip.putNextEntry(new ZipEntry(directory.relativize(each).toString()));
                    Files.copy(each, zip);
                    zip.closeEntry();
                }
            }
            return jar;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
