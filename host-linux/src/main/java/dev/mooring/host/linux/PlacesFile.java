// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.KernelText;
import dev.mooring.host.linux.process.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What one process has noted of its places, as text: a line about the process, then a line for each place, in fields separated by tabs.
 * A character that would separate is written as the kernel writes it in its mount table: backslash and three octal digits.
 *
 * @param boot which boot of the machine it is of
 * @param namespace in which process numbers count
 * @param process which process has noted it
 * @param places its places
 */
record PlacesFile(String boot, String namespace, Optional<ProcessIdentity> process, List<KeptPlace> places) {
    private static final String VISIBLE = "visible";
    private static final String HIDDEN = "hidden";
    private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");

    PlacesFile {
        places = List.copyOf(places);
    }

    /** This process. */
    static ProcessIdentity here() {
        long pid = ProcessHandle.current().pid();
        return ProcessIdentity.of(pid).orElseGet(() -> new ProcessIdentity(pid, 0));
    }

    static PlacesFile of(ProcessIdentity process, List<KeptPlace> places) {
        return new PlacesFile(ProcessIdentity.boot(), namespaceHere(), Optional.of(process), places);
    }

    private static String namespaceHere() {
        try {
            return Files.readSymbolicLink(NAMESPACE).toString();
        } catch (IOException notTold) {
            return "";
        }
    }

    String text() {
        StringBuilder text = new StringBuilder();
        String number = process.map(each -> each.pid() + "\t" + each.started()).orElse("\t");
        text.append(boot)
                .append('\t')
                .append(escape(namespace))
                .append('\t')
                .append(number)
                .append('\n');
        for (KeptPlace place : places) {
            text.append(escape(place.path().toString())).append('\t');
            text.append(escape(place.kind())).append('\t');
            text.append(escape(place.owner())).append('\t');
            text.append(place.visible() ? VISIBLE : HIDDEN).append('\n');
        }
        return text.toString();
    }

    private static String escape(String field) {
        return field.replace("\\", "\\134").replace("\t", "\\011").replace("\n", "\\012");
    }

    /** Reads as much as there is: an empty line is skipped, and a file without a process is never stale. */
    static PlacesFile parse(String text) {
        String[] lines = text.split("\n", -1);
        String[] header = lines[0].split("\t", -1);
        List<KeptPlace> places = new ArrayList<>();
        for (int i = 1; i < lines.length; i++) {
            String[] fields = lines[i].split("\t", -1);
            if (fields.length == 4 && fields[0].startsWith("/")) {
                places.add(new KeptPlace(
                        KernelText.path(KernelText.unescape(fields[0])),
                        KernelText.unescape(fields[1]),
                        KernelText.unescape(fields[2]),
                        fields[3].equals(VISIBLE)));
            }
        }
        return new PlacesFile(
                header[0],
                header.length > 1 ? KernelText.unescape(header[1]) : "",
                header.length > 3 ? identity(header[2], header[3]) : Optional.empty(),
                places);
    }

    private static Optional<ProcessIdentity> identity(String pid, String started) {
        try {
            return Optional.of(new ProcessIdentity(Long.parseLong(pid), Long.parseLong(started)));
        } catch (NumberFormatException damaged) {
            return Optional.empty();
        }
    }

    /** Whether its process has surely ended. Not known for a process of another PID namespace, such as another container. */
    boolean isStale() {
        if (!boot.equals(ProcessIdentity.boot())) {
            return true;
        }
        return namespace.equals(namespaceHere())
                && process.filter(each -> !each.isAlive()).isPresent();
    }
}
